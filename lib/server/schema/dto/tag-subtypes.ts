import { isObject } from '../../../core/protocol/json-rpc.js';
import type { DtoClass } from '../compiled-schema.interface.js';
import type { Discriminator, DtoLibraries } from './dto-libraries.js';

type Transformations = DtoLibraries['transformations'];
type Members = Readonly<Record<string, unknown>>;

/**
 * Copies a value as far as class-transformer writes into it: it takes the discriminator away from what it reads. An instance of
 * a subtype gets its discriminator, by which alone class-transformer knows it.
 */
export function tagSubtypes(value: unknown, target: DtoClass, transformations: Transformations): unknown {
  if (Array.isArray(value)) return value.map((item) => tagSubtypes(item, target, transformations));
  if (!isRecord(value)) return value;
  const copy = copyOf(value);
  for (const [name, member] of Object.entries(value)) {
    const property = transformations.findExposeMetadataByCustomName(target, name)?.propertyName ?? name;
    const found = transformations.findTypeMetadata(target, property);
    if (found === undefined) continue;
    const type = found.typeFunction({ newObject: copy, object: value, property }) as DtoClass;
    const { discriminator } = found.options ?? {};
    copy[name] =
      discriminator === undefined
        ? tagSubtypes(member, type, transformations)
        : tag(member, { type, discriminator, transformations });
  }
  return copy;
}

interface Tagging {
  readonly type: DtoClass;
  readonly discriminator: Discriminator;
  readonly transformations: Transformations;
}

function tag(value: unknown, tagging: Tagging): unknown {
  if (Array.isArray(value)) return value.map((item) => tag(item, tagging));
  if (!isRecord(value)) return value;
  const { type, discriminator, transformations } = tagging;
  const { property, subTypes } = discriminator;
  const named = subTypes.find(({ name }) => name === value[property]);
  const subType = named ?? subTypes.find((one) => one.value === value.constructor);
  const copy = tagSubtypes(value, subType?.value ?? type, transformations) as Members;
  return subType === undefined || named !== undefined
    ? copy
    : Object.assign(copy, { [property]: subType.name });
}

/** What these hold is not in members. */
function isRecord(value: unknown): value is Members {
  return isObject(value) && ![Date, Map, Set, Uint8Array].some((one) => value instanceof one);
}

function copyOf(value: Members): Record<string, unknown> {
  const copy = { ...value };
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === Object.prototype ? copy : (Object.setPrototypeOf(copy, prototype) as typeof copy);
}
