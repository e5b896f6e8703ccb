/**
 * The version of Holon; a test keeps it equal to `package.json`.
 *
 * @module
 */

/** Semantic version. */
export const VERSION: string = "0.1.0";
