import type { Client, ReadResourceResult, Resource } from '@modelcontextprotocol/client';
import { isUtf8 } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import type { Observable } from 'rxjs';
import { explainError } from '../../../core/log/describe-failure.js';
import { Logger } from '../../../core/logger/logger.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import { formatDigest } from '../../../core/skills/digest.js';
import { parseFrontmatter } from '../../../core/skills/frontmatter.js';
import {
  encodePath,
  findSkillRoot,
  parseSkill,
  type Skill,
  SKILL_LIMITS,
  type SkillResource,
  SKILLS_EXTENSION,
} from '../../../core/skills/skill.js';
import { untilAborted } from '../../../core/async/promises.js';
import { ANY_RESULT } from '../../tasks/task-response.js';
import type { ClientLink } from '../connection/client-link.js';
import type { ServerNotification } from '../connection/connection.js';
import { SkillsUnsupportedError, SkillUnverifiedError, type SkillProblem } from '../errors.js';
import { ListCache, type FetchedList } from '../lists/client-lists.js';
import { findChangedFamily } from '../lists/list-families.js';
import { buildRequestOptions, type McpListOptions, type McpRequestOptions } from '../mcp-client-calls.js';
import type { ClientSettings } from '../options/client-settings.js';

/** The maximum number of pages of a list. Longer lists are truncated. */
const MOST_PAGES = 1000;

type Params = Readonly<Record<string, unknown>>;

/** What reading skills depends on. */
interface SkillsSource {
  readonly link: ClientLink;
  readonly settings: ClientSettings;
  readonly notifications$: Observable<ServerNotification>;
}

/**
 * The skills on a client's server. Nothing is fetched before you request it. A file that differs from its skill's
 * listing is not returned.
 *
 * @example
 * const [skill] = await this.desk.skills.list();
 * const { text } = await this.desk.skills.load(skill);
 * const fees = await this.desk.skills.read(skill, 'references/fees.md');
 *
 * @see MCP extension skills (SEP-2640)
 */
export class McpClientSkills {
  readonly #logger = new Logger('McpClient');
  readonly #list = new ListCache(() => this.#fetch());

  /** They are created with their client. */
  constructor(private readonly source: SkillsSource) {
    source.link.connection$.subscribe(() => this.#list.invalidate());
    source.notifications$.subscribe(({ method }) => {
      if (findChangedFamily(method) === 'resources') this.#list.invalidate();
    });
  }

  /**
   * Returns the skills that the server lists, each with its frontmatter and the digests of its files. The list is
   * cached unless it is stale. The server may have other skills, which {@link get} finds by URI. A malformed entry is
   * omitted and logged.
   *
   * @throws {SkillsUnsupportedError} if the server has no skills
   */
  async list({ signal }: McpListOptions = {}): Promise<readonly Skill[]> {
    signal?.throwIfAborted();
    return untilAborted(this.#list.get(), signal);
  }

  /**
   * Returns the current state of a skill, identified by its `SKILL.md` URI.
   *
   * @throws {SkillsUnsupportedError} if the server has no skills
   * @throws {SkillUnverifiedError} if the response is malformed or contains a different skill
   */
  async get(uri: string, options: McpRequestOptions = {}): Promise<Skill> {
    const { skill } = await this.#request('skills/get', { uri }, options);
    const parsed = this.#parse(skill, uri);
    if (parsed.uri === uri) return parsed;
    throw this.#refuse(uri, 'the server returned a different skill');
  }

  /**
   * Reads a skill's `SKILL.md`.
   *
   * @throws {SkillUnverifiedError} if its bytes or its frontmatter differ from the skill's
   */
  async load(skill: Skill, options: McpRequestOptions = {}): Promise<SkillFile> {
    const file = await this.#read(skill, skill.uri, options);
    await new SkillFileReader(this.#name, skill).assertFrontmatter(file);
    return file;
  }

  /**
   * Reads one of a skill's files.
   *
   * @param path the path within the skill, or the file URI
   *
   * @throws {SkillUnverifiedError} if the file differs from the skill's listing. No request is sent for a file that
   * the skill does not list
   */
  read(skill: Skill, path: string, options: McpRequestOptions = {}): Promise<SkillFile> {
    return this.#read(skill, this.#resolve(skill, path), options);
  }

  /**
   * Returns the current contents of a skill folder. {@link read} does not need this method, because skills list their
   * files.
   *
   * @throws {SkillsUnsupportedError} if the server cannot list folders
   */
  async readDirectory(uri: string, options: McpRequestOptions = {}): Promise<readonly Resource[]> {
    const { items } = await this.#readPages('resources/directory/read', { uri }, 'resources', options);
    return items.filter((item) => isObject(item) && typeof item['uri'] === 'string') as Resource[];
  }

  get #name(): string {
    return this.source.settings.name;
  }

  async #read(skill: Skill, uri: string, options: McpRequestOptions): Promise<SkillFile> {
    const reader = new SkillFileReader(this.#name, skill);
    reader.find(uri);
    const { link, settings } = this.source;
    const request = { ...buildRequestOptions(options, settings.timeoutMs), cacheMode: 'refresh' } as const;
    const result = await link.use((client) => client.readResource({ uri }, request), {
      ...options,
      isRepeatable: true,
    });
    return reader.take(uri, result);
  }

  /** Resolves a path relative to the skill's folder, as in a file system. */
  #resolve(skill: Skill, path: string): string {
    const root = findSkillRoot(skill.uri) ?? '';
    const uri = path.startsWith(`${root}/`) ? path : `${root}/${encodePath(path.replace(/^\.\//, ''))}`;
    if (!/(?:^|\/)\.{1,2}(?:\/|$)/.test(uri.slice(root.length + 1))) return uri;
    throw new SkillUnverifiedError(this.#name, uri, 'unlisted', 'its path leads outside the skill');
  }

  async #fetch(): Promise<FetchedList<Skill>> {
    const { items, ttlMs } = await this.#readPages('skills/list', {}, 'skills', {});
    const skills = items.flatMap((item) => {
      try {
        return [this.#parse(item, isObject(item) ? String(item['uri']) : '')];
      } catch (error) {
        this.#logger.warn(`A skill was omitted: ${explainError(error)}`);
        return [];
      }
    });
    return { items: skills, ttlMs: ttlMs ?? 0, isNotified: false };
  }

  /** Reads all pages over one connection, which limits their total size. */
  #readPages(
    method: string,
    params: { readonly uri?: string },
    member: string,
    options: McpRequestOptions,
  ): Promise<{ readonly items: readonly unknown[]; readonly ttlMs: number | undefined }> {
    return this.#use(method, options, async (ask) => {
      const items: unknown[] = [];
      const cursors = new Set<unknown>();
      let cursor: unknown;
      let ttlMs: number | undefined;
      do {
        cursors.add(cursor);
        const result = await ask({ ...params, ...(cursor !== undefined && { cursor }) });
        const listed = result[member];
        if (Array.isArray(listed)) items.push(...(listed as readonly unknown[]));
        if (typeof result['ttlMs'] === 'number') ttlMs = Math.min(ttlMs ?? Infinity, result['ttlMs']);
        cursor = result['nextCursor'];
      } while (typeof cursor === 'string' && !cursors.has(cursor) && cursors.size < MOST_PAGES);
      return { items, ttlMs };
    });
  }

  #request(method: string, params: Params, options: McpRequestOptions): Promise<Params> {
    return this.#use(method, options, (ask) => ask(params));
  }

  #use<Result>(
    method: string,
    options: McpRequestOptions,
    work: (ask: (params: Params) => Promise<Params>) => Promise<Result>,
  ): Promise<Result> {
    const { link, settings } = this.source;
    const request = buildRequestOptions(options, settings.timeoutMs);
    return link.use(
      (client) => {
        this.#assertDeclared(client, method);
        return work(async (params) => {
          const result: unknown = await client.request({ method, params }, ANY_RESULT, request);
          return isObject(result) ? result : {};
        });
      },
      { ...options, isRepeatable: true },
    );
  }

  /** Clients may only request skills from servers that declare them. */
  #assertDeclared(client: Client, method: string): void {
    const declared: unknown = client.getServerCapabilities()?.extensions?.[SKILLS_EXTENSION];
    if (!isObject(declared)) throw new SkillsUnsupportedError(this.#name, 'skills');
    if (method !== 'resources/directory/read' || declared['directoryRead'] === true) return;
    throw new SkillsUnsupportedError(this.#name, 'skill folders');
  }

  #parse(skill: unknown, uri: string): Skill {
    try {
      return parseSkill(skill);
    } catch (error) {
      throw this.#refuse(uri, explainError(error), error);
    }
  }

  #refuse(uri: string, explanation: string, cause?: unknown): SkillUnverifiedError {
    return new SkillUnverifiedError(this.#name, uri, 'entry', explanation, { cause });
  }
}

/** A skill file that has been read. */
export interface SkillFile {
  readonly uri: string;
  readonly mimeType: string | undefined;
  readonly bytes: Uint8Array;
  /** The bytes as a string; absent if they are not UTF-8. */
  readonly text: string | undefined;
  /** Whether the bytes match the skill's digest. Dynamic skills have no digests. */
  readonly isVerified: boolean;
}

/** Reads a file from the server's response, and verifies it against the skill. */
class SkillFileReader {
  constructor(
    private readonly client: string,
    private readonly skill: Skill,
  ) {}

  /**
   * Finds a file in the skill, before any request.
   *
   * @throws {SkillUnverifiedError} if the skill does not list it, or is larger than hosts must accept
   */
  find(uri: string): SkillResource | undefined {
    const { resources } = this.skill;
    if (resources === 'dynamic') return undefined;
    const bytes = resources.reduce((sum, { size }) => sum + size, 0);
    if (resources.length > SKILL_LIMITS.files || bytes > SKILL_LIMITS.bytes) {
      const explanation = `it has ${resources.length} files and ${bytes} bytes, but at most ${SKILL_LIMITS.files} and ${SKILL_LIMITS.bytes} are accepted`;
      throw this.#refuse(this.skill.uri, 'limit', explanation);
    }
    const listed = resources.find((resource) => resource.uri === uri);
    if (listed !== undefined) return listed;
    throw this.#refuse(uri, 'unlisted', 'its skill does not list it: get the skill again if it has changed');
  }

  /** @throws {SkillUnverifiedError} if the content differs from the skill's listing */
  take(uri: string, { contents }: ReadResourceResult): SkillFile {
    const listed = this.find(uri);
    const content = contents.find((one) => one.uri === uri);
    if (content === undefined) throw this.#refuse(uri, 'unlisted', 'the server returned something else');
    const bytes = 'text' in content ? Buffer.from(content.text) : Buffer.from(content.blob, 'base64');
    if (listed !== undefined) this.#verify(listed, bytes);
    else if (bytes.byteLength > SKILL_LIMITS.bytes) {
      throw this.#refuse(
        uri,
        'limit',
        `it has ${bytes.byteLength} bytes, but at most ${SKILL_LIMITS.bytes} are accepted`,
      );
    }
    const text = isUtf8(bytes) ? bytes.toString() : undefined;
    return { uri, mimeType: content.mimeType, bytes, text, isVerified: listed !== undefined };
  }

  /** @throws {SkillUnverifiedError} if the frontmatter of `SKILL.md` differs from the skill's */
  async assertFrontmatter({ uri, text = '' }: SkillFile): Promise<void> {
    const found = await parseFrontmatter(text).catch((error: unknown) => {
      throw this.#refuse(uri, 'frontmatter', explainError(error), error);
    });
    if (isDeepStrictEqual(found, JSON.parse(JSON.stringify(this.skill.frontmatter)))) return;
    throw this.#refuse(
      uri,
      'frontmatter',
      'its frontmatter differs from the skill listing: get the skill again',
    );
  }

  #verify({ uri, digest, size }: SkillResource, bytes: Uint8Array): void {
    if (bytes.byteLength !== size) {
      throw this.#refuse(
        uri,
        'size',
        `it has ${bytes.byteLength} bytes, but its skill lists ${size}: get the skill again`,
      );
    }
    if (formatDigest(bytes) === digest) return;
    throw this.#refuse(uri, 'digest', 'its digest differs from the skill listing: get the skill again');
  }

  #refuse(uri: string, problem: SkillProblem, explanation: string, cause?: unknown): SkillUnverifiedError {
    const options = cause === undefined ? undefined : { cause };
    return new SkillUnverifiedError(this.client, uri, problem, explanation, options);
  }
}
