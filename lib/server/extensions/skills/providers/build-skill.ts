import { explainError } from '../../../../core/log/describe-failure.js';
import { assertSkillFrontmatter, formatFrontmatter } from '../../../../core/skills/frontmatter.js';
import { SKILL_FILE, SkillFormatError, type SkillFrontmatter } from '../../../../core/skills/skill.js';
import type { ResourceEntry } from '../../../catalog/entries.js';
import { completeParameters } from '../../../catalog/building/method-parameters.js';
import type { HandlerInvoker } from '../../../catalog/invocation/handler-invoker.js';
import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PIPES_METADATA,
} from '../../../catalog/invocation/nest-contexts.js';
import type { McpContext } from '../../../context/mcp-context.interface.js';
import type { SkillContents } from '../../../settings/extensions/skills-options.js';
import { ServedSkill } from '../served-skill.js';
import { SkillError, assertSkillSize } from '../skill.error.js';
import { type SkillFiles, comparePaths } from '../skill-manifest.js';
import type { ContentsMethod, DeclaredSkill } from './skill.explorer.js';

/** A skill whose contents a method returns. */
type DeclaredMethod = DeclaredSkill & Required<Pick<DeclaredSkill, 'method' | 'methodName'>>;

/**
 * Builds a skill from a provider's method.
 *
 * @throws {SkillError} if its declaration is invalid
 */
export function buildSkill(declared: DeclaredMethod, invoker: HandlerInvoker): ServedSkill {
  const { place, options, access, ownName } = declared;
  const { prefix, visible, tags, dynamic = false, description, frontmatter: further } = options;
  const name = options.name ?? formatName(ownName);
  const frontmatter = assertFrontmatter(place, {
    name,
    ...(description !== undefined && { description }),
    ...further,
  });
  const files = dynamic ? buildDynamic(declared, frontmatter, invoker) : buildStatic(declared, frontmatter);
  return new ServedSkill({
    path: prefix === undefined ? name : `${prefix}/${name}`,
    place,
    frontmatter,
    files,
    owner: declared,
    origin: buildOrigin(declared),
    ...access,
    ...(visible && { visible }),
    ...(tags && { tags }),
  });
}

/** Returns the class and the method, for parts that read their metadata. */
export function buildOrigin({ classRef, method }: DeclaredSkill): NonNullable<ResourceEntry['origin']> {
  return { classRef, ...(method && { method }) };
}

/** Converts a name to kebab case: `dailyReport` becomes `daily-report`. */
function formatName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();
}

function assertFrontmatter(place: string, given: { readonly [field: string]: unknown }): SkillFrontmatter {
  // It is listed as JSON and written as YAML, so both are produced from the same JSON value.
  const frontmatter = JSON.parse(JSON.stringify(given)) as { readonly [field: string]: unknown };
  try {
    assertSkillFrontmatter(frontmatter);
    return frontmatter;
  } catch (error) {
    if (error instanceof SkillFormatError) throw new SkillError(place, error.message, { cause: error });
    throw error;
  }
}

function buildDynamic(
  { place, host, classRef, methodName }: DeclaredMethod,
  frontmatter: SkillFrontmatter,
  invoker: HandlerInvoker,
): SkillFiles {
  completeParameters({ classRef, methodName });
  const invoke = invoker.create(host, methodName);
  return new DynamicFiles(async (context) => {
    const { uri } = context.params;
    return readContents(place, frontmatter, await invoke({ uri }, context));
  });
}

function buildStatic(declared: DeclaredMethod, frontmatter: SkillFrontmatter): StaticFiles {
  const { place, host, method } = declared;
  assertPlain(declared);
  return new StaticFiles(async () => {
    const instance: unknown = host.instance;
    return readContents(place, frontmatter, await call(place, method, instance));
  });
}

async function call(place: string, method: ContentsMethod, instance: unknown): Promise<unknown> {
  try {
    return await method.call(instance);
  } catch (error) {
    const reason = explainError(error);
    throw new SkillError(place, `the method failed: ${reason}`, { cause: error });
  }
}

/**
 * The method is called once for all callers, so enhancers would silently never run.
 */
function assertPlain({ place, host, classRef, method }: DeclaredMethod): void {
  if (host.isTransient || !host.isDependencyTreeStatic()) {
    throw new SkillError(
      place,
      `"${classRef.name}" is not a singleton: set "dynamic" to generate the skill for each caller`,
    );
  }
  for (const [kind, key] of ENHANCERS) {
    if (!Reflect.hasMetadata(key, method) && !Reflect.hasMetadata(key, classRef)) continue;
    throw new SkillError(
      place,
      `${kind} do not run for a skill that is generated once: use @RequireScope(), or set "dynamic"`,
    );
  }
}

const ENHANCERS = [
  ['guards', GUARDS_METADATA],
  ['interceptors', INTERCEPTORS_METADATA],
  ['pipes', PIPES_METADATA],
  ['filters', EXCEPTION_FILTERS_METADATA],
] as const;

/** Skill files that a provider generates once. */
export class StaticFiles implements SkillFiles {
  readonly isDynamic = false;
  #contents: Contents = new Map();

  constructor(private readonly make: () => Promise<Contents>) {}

  /** Generates the files, which do not exist before. */
  async load(): Promise<void> {
    this.#contents = await this.make();
  }

  has(path: string): boolean {
    return this.#contents.has(path);
  }

  list(): readonly string[] {
    return [...this.#contents.keys()];
  }

  async read(path: string): Promise<Uint8Array | undefined> {
    return this.#contents.get(path);
  }
}

/** Skill files that a provider generates for each caller. */
class DynamicFiles implements SkillFiles {
  readonly isDynamic = true;

  constructor(private readonly make: (context: McpContext) => Promise<Contents>) {}

  /** Unknown until the files are generated. */
  has(): boolean {
    return false;
  }

  async list(context: McpContext): Promise<readonly string[]> {
    return [...(await this.make(context)).keys()];
  }

  async read(path: string, context: McpContext): Promise<Uint8Array | undefined> {
    return (await this.make(context)).get(path);
  }
}

/** A skill's files by path, `SKILL.md` first. */
type Contents = ReadonlyMap<string, Uint8Array>;

/** Matches a relative path inside the skill. */
const PATH = /^(?!.*(?:^|\/)\.{0,2}(?:\/|$))[^\\\0]+$/;

/**
 * Builds files from what a provider returned.
 *
 * @throws {SkillError} if the value is invalid or exceeds host limits
 */
export async function readContents(
  place: string,
  frontmatter: SkillFrontmatter,
  given: unknown,
): Promise<Contents> {
  const { instructions, files = {} } =
    typeof given === 'string' ? { instructions: given } : assertContents(place, given);
  if (/^\uFEFF?---[ \t]*\r?\n/.test(instructions)) {
    throw new SkillError(
      place,
      'its instructions begin with frontmatter, which is generated from the options: return only the Markdown after it, or serve the folder with "directory"',
    );
  }
  const contents = new Map<string, Uint8Array>();
  contents.set(SKILL_FILE, Buffer.from(`${await formatFrontmatter(frontmatter)}\n${instructions}`));
  for (const path of Object.keys(files).toSorted(comparePaths)) {
    contents.set(path, readFile(place, path, files[path]));
  }
  const sizes = [...contents.values()].map(({ byteLength }) => byteLength);
  assertSkillSize(place, sizes);
  return contents;
}

function assertContents(place: string, given: unknown): SkillContents {
  const { instructions, files = {} } = (given ?? {}) as {
    readonly instructions?: unknown;
    readonly files?: unknown;
  };
  if (typeof instructions !== 'string' || typeof files !== 'object' || files === null) {
    const explanation =
      'it must return its instructions as a string, or { instructions, files } with files by path';
    throw new SkillError(place, explanation);
  }
  return given as SkillContents;
}

function readFile(place: string, path: string, content: unknown): Uint8Array {
  if (!PATH.test(path)) {
    throw new SkillError(place, `its file ${JSON.stringify(path)} needs a path such as "references/fees.md"`);
  }
  if (path === SKILL_FILE) {
    throw new SkillError(
      place,
      `its ${SKILL_FILE} is generated from the options and the instructions: remove the file`,
    );
  }
  if (typeof content === 'string') return Buffer.from(content);
  if (content instanceof Uint8Array) return content;
  throw new SkillError(place, `its file "${path}" must be a string or bytes`);
}
