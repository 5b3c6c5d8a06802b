/** What is being typed and not yet sent. */
import type { Field } from "./wire";

export type FieldValue = NonNullable<Field["value"]> | null;

export class Draft {
  private readonly kept = new Map<string, { base: string; value: FieldValue }>();

  constructor(private readonly changed: () => void) {}

  /** What the field shows: the value typed over what the table says, as long as the table still says that. */
  value(field: Field): FieldValue {
    const kept = this.kept.get(field.id);
    // A value that changed at the table is newer than what was typed over the old one.
    if (kept !== undefined && kept.base === JSON.stringify(field.value ?? null)) return kept.value;
    return field.value ?? empty(field);
  }

  /** Somebody typed here. */
  touched(field: Field): boolean {
    return this.kept.has(field.id);
  }

  /** A number that came without a value and that nobody has entered: it is shown as a dash and not sent. */
  unsaid(field: Field): boolean {
    return field.kind === "number" && (field.value ?? null) === null && !this.kept.has(field.id);
  }

  enter(field: Field, value: FieldValue): void {
    this.kept.set(field.id, { base: JSON.stringify(field.value ?? null), value });
    this.changed();
  }

  clear(): void {
    this.kept.clear();
  }
}

function empty(field: Field): FieldValue {
  if (field.kind === "many") return [];
  if (field.kind === "flag") return false;
  return field.kind === "number" ? Math.max(0, field.low ?? 0) : null;
}
