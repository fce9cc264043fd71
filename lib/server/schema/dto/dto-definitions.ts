import type { DtoClass, JsonSchema } from '../compiled-schema.interface.js';
import type { Discriminator } from './dto-libraries.js';

/** One class of those that a discriminator tells apart. */
type Subtype = Discriminator['subTypes'][number];

/** The classes that a schema refers to. Each stands once under `$defs`, so that one that holds itself has an end. */
export class DtoDefinitions {
  readonly #names = new Map<DtoClass | Subtype, string>();
  readonly #schemas: Record<string, JsonSchema> = {};

  /** Refers to a class, or to a subtype, which is built when it is met first. */
  define(key: DtoClass | Subtype, className: string, build: () => JsonSchema): JsonSchema {
    let name = this.#names.get(key);
    if (name === undefined) {
      name = this.#chooseName(className);
      this.#names.set(key, name);
      try {
        this.#schemas[name] = build();
      } catch (error) {
        this.#names.delete(key);
        throw error;
      }
    }
    return { $ref: `#/$defs/${encodeURIComponent(name)}` };
  }

  /** Adds the definitions to the schema that refers to them. */
  addTo(schema: JsonSchema): JsonSchema {
    return this.#names.size === 0 ? schema : { ...schema, $defs: this.#schemas };
  }

  #chooseName(className: string): string {
    const taken = new Set(this.#names.values());
    const name = className === '' ? 'Anonymous' : className;
    let chosen = name;
    for (let suffix = 2; taken.has(chosen); suffix += 1) chosen = `${name}${suffix}`;
    return chosen;
  }
}
