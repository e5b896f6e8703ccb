/** The parts of npm `deno-std` that `std.ts` uses; the package ships no types. */
declare module "deno-std/media_types/type_by_extension.js" {
  /** The media type of a file extension, or `undefined` when it isn't known. */
  export function typeByExtension(extension: string): string | undefined;
}
