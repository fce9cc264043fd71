import type { Alternative } from './alternative.js';
import { listValues } from './list-values.js';

/** The member that tells alternatives apart, and the values that each of them has for it. */
export interface Discriminator {
  readonly name: string;
  readonly values: readonly (readonly unknown[])[];
}

/** Finds the member that tells alternatives apart: each requires it, and no two take the same value. */
export function findDiscriminator(alternatives: readonly Alternative[]): Discriminator | undefined {
  const [first] = alternatives;
  if (first === undefined || alternatives.length < 2) return undefined;
  for (const name of first.members.keys()) {
    const values = alternatives.map((one) =>
      one.required.has(name) ? listValues(one.members.get(name)) : [],
    );
    const all = values.flat();
    const isTelling = values.every(({ length }) => length > 0) && new Set(all).size === all.length;
    if (isTelling) return { name, values };
  }
  return undefined;
}
