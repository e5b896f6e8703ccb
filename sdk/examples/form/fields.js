/** The form's fields: their values, what is wrong with them, and how that is shown. */

/** What is said for each rule that HTML knows; a field's own words come first. */
const WORDS = {
  title: { valueMissing: "Give it a title.", tooShort: "A title has 3 characters or more." },
  details: { valueMissing: "Say what it is about." },
  due: { badInput: "This is not a date.", rangeUnderflow: "This day has passed." },
};

export class Fields {
  #form;

  constructor(form) {
    this.#form = form;
    this.#form.elements.due.min = today();
    // A field is checked when it is left, and again while a mistake is mended.
    form.addEventListener("focusout", ({ target }) => target.value && this.check(target));
    form.addEventListener("input", ({ target }) => {
      if (target.getAttribute("aria-invalid") === "true") this.check(target);
    });
  }

  /** Values by name. */
  get values() {
    return Object.fromEntries(new FormData(this.#form));
  }

  set values(values) {
    for (const [name, value] of Object.entries(values)) {
      const field = this.#form.elements.namedItem(name);
      if (field !== null) field.value = value;
    }
  }

  /** Empties all fields, and forgets what was wrong. */
  clear() {
    this.#form.reset();
    for (const field of this.#checked()) show(field, "");
  }

  /** Shows what is wrong with each field; the first one that is wrong, or undefined. */
  checkAll() {
    return this.#checked().filter((field) => !this.check(field))[0];
  }

  /** Shows what is wrong with a field; whether nothing is. */
  check(field) {
    const message = problemOf(field);
    show(field, message);
    return message === "";
  }

  #checked() {
    return [...this.#form.elements].filter(({ name }) => name in WORDS);
  }
}

function problemOf(field) {
  const words = WORDS[field.name] ?? {};
  if (field.required && field.value.trim() === "") return words.valueMissing;
  // Browsers check the length of what was typed only, not of a draft that came back.
  if (field.value.trim().length < (field.minLength ?? 0)) return words.tooShort;
  for (const rule of Object.keys(words)) if (field.validity[rule]) return words[rule];
  return field.validationMessage;
}

function show(field, message) {
  const place = document.getElementById(`${field.name}-error`);
  if (place === null) return;
  place.textContent = message;
  if (message === "") field.removeAttribute("aria-invalid");
  else field.setAttribute("aria-invalid", "true");
}

/** Today here, as date fields write it. */
function today() {
  const now = new Date();
  now.setMinutes(now.getMinutes() - now.getTimezoneOffset());
  return now.toISOString().slice(0, 10);
}
