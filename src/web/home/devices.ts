import { type ComponentChildren, h } from "preact";
import { useState } from "preact/hooks";
import type { DeviceInfo, Scope } from "./api_devices.ts";
import type { HomeModel } from "./model.ts";
import { absoluteTime, relativeTime } from "./words.ts";

/** What a scope lets one do. */
const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  read: "Can look",
  app: "Can use apps",
  control: "Can do everything",
};

/** Who is signed in, and the way to sign them out. */
export function Devices(
  { devices, now, model }: {
    devices: readonly DeviceInfo[];
    now: number;
    model: HomeModel;
  },
): ComponentChildren {
  const others = devices.filter(({ current }) => !current);
  return h("section", { class: "devices", "aria-labelledby": "devices" }, [
    h("header", { class: "devices-head" }, [
      h("h2", { id: "devices" }, "Signed-in devices"),
      others.length < 2 ? null : h(SureButton, {
        label: "Sign out all others",
        sure: "Really sign out all others?",
        run: () => model.signOutOther(null),
      }),
    ]),
    h(
      "ul",
      null,
      devices.map((device) => h(Device, { key: device.id, device, now, model })),
    ),
  ]);
}

function Device(
  { device, now, model }: { device: DeviceInfo; now: number; model: HomeModel },
): ComponentChildren {
  const { id, client, current, userAgent } = device;
  return h("li", null, [
    h("div", { class: "device-what" }, [
      h("strong", { title: userAgent ?? "" }, client),
      current ? h("span", { class: "chip" }, "This one") : null,
      h("span", { class: "device-facts" }, [
        `${SCOPE_WORDS[device.scope]} · ${originOf(device)} `,
        h("time", { dateTime: device.createdAt, title: absoluteTime(device.createdAt) }, [
          relativeTime(device.createdAt, now),
        ]),
        " · last seen ",
        h("time", { dateTime: device.lastSeenAt, title: absoluteTime(device.lastSeenAt) }, [
          relativeTime(device.lastSeenAt, now),
        ]),
        device.expiresAt === null ? null : ` · until ${absoluteTime(device.expiresAt)}`,
      ]),
    ]),
    current ? null : h(SureButton, {
      label: "Sign out",
      name: `Sign out ${client}`,
      sure: "Really?",
      run: () => model.signOutOther(id),
    }),
  ]);
}

function originOf({ method, token }: DeviceInfo): string {
  if (method === "pairing") return "paired";
  return token === null ? "signed in" : `signed in with ${token}`;
}

/** A button that asks once more before it does what can't be undone. */
function SureButton(
  { label, name, sure, run }: {
    label: string;
    /** What it is called where the label alone says too little. */
    name?: string;
    sure: string;
    run: () => Promise<void>;
  },
): ComponentChildren {
  const [asks, setAsks] = useState(false);
  return h("button", {
    type: "button",
    class: asks ? "sure" : "",
    "aria-label": asks ? `${name ?? label}: really?` : name ?? label,
    onClick: () => {
      setAsks(!asks);
      if (asks) run();
    },
    onBlur: () => setAsks(false),
  }, asks ? sure : label);
}
