import { isUtf8 } from 'node:buffer';
import { isDeepStrictEqual } from 'node:util';
import type { ReadResourceResult } from '@modelcontextprotocol/client';
import { explainError } from '../../../core/log/explain-error.js';
import { formatDigest } from '../../../core/skills/digest.js';
import { parseFrontmatter } from '../../../core/skills/parse-frontmatter.js';
import { SKILL_LIMITS, type Skill, type SkillResource } from '../../../core/skills/skill.js';
import { SkillUnverifiedError, type SkillFault } from '../errors.js';

/** A file of a skill that has been read. */
export interface SkillFile {
  readonly uri: string;
  readonly mimeType: string | undefined;
  readonly bytes: Uint8Array;
  /** The bytes as text; absent if they are not UTF-8. */
  readonly text: string | undefined;
  /** Whether the bytes are those that the skill lists. The bytes of a dynamic skill are not known beforehand. */
  readonly isVerified: boolean;
}

/** Reads the answer of a server for a file, and checks it against the skill. */
export class SkillFileReader {
  constructor(
    private readonly client: string,
    private readonly skill: Skill,
  ) {}

  /**
   * Finds a file in the skill before anything is asked of the server.
   *
   * @throws {SkillUnverifiedError} if the skill does not list it, or is larger than hosts must accept
   */
  find(uri: string): SkillResource | undefined {
    const { resources } = this.skill;
    if (resources === 'dynamic') return undefined;
    const bytes = resources.reduce((sum, { size }) => sum + size, 0);
    if (resources.length > SKILL_LIMITS.files || bytes > SKILL_LIMITS.bytes) {
      const explanation = `it has ${resources.length} files and ${bytes} bytes, and ${SKILL_LIMITS.files} and ${SKILL_LIMITS.bytes} are taken`;
      throw this.#refuse(this.skill.uri, 'limit', explanation);
    }
    const listed = resources.find((resource) => resource.uri === uri);
    if (listed !== undefined) return listed;
    throw this.#refuse(uri, 'unlisted', 'its skill does not list it: get the skill again if it has changed');
  }

  /** @throws {SkillUnverifiedError} if the content is not what the skill says */
  take(uri: string, { contents }: ReadResourceResult): SkillFile {
    const listed = this.find(uri);
    const content = contents.find((one) => one.uri === uri);
    if (content === undefined) throw this.#refuse(uri, 'unlisted', 'the server gave something else');
    const bytes = 'text' in content ? Buffer.from(content.text) : Buffer.from(content.blob, 'base64');
    if (listed !== undefined) this.#verify(listed, bytes);
    else if (bytes.byteLength > SKILL_LIMITS.bytes) {
      throw this.#refuse(
        uri,
        'limit',
        `it has ${bytes.byteLength} bytes, and ${SKILL_LIMITS.bytes} are taken`,
      );
    }
    const text = isUtf8(bytes) ? bytes.toString() : undefined;
    return { uri, mimeType: content.mimeType, bytes, text, isVerified: listed !== undefined };
  }

  /** @throws {SkillUnverifiedError} if `SKILL.md` says something else than the skill does */
  async assertFrontmatter({ uri, text = '' }: SkillFile): Promise<void> {
    const found = await parseFrontmatter(text).catch((error: unknown) => {
      throw this.#refuse(uri, 'frontmatter', explainError(error), error);
    });
    if (isDeepStrictEqual(found, JSON.parse(JSON.stringify(this.skill.frontmatter)))) return;
    throw this.#refuse(uri, 'frontmatter', 'its frontmatter is not that of the skill: get the skill again');
  }

  #verify({ uri, digest, size }: SkillResource, bytes: Uint8Array): void {
    if (bytes.byteLength !== size) {
      throw this.#refuse(
        uri,
        'size',
        `it has ${bytes.byteLength} bytes, and its skill says ${size}: get the skill again`,
      );
    }
    if (formatDigest(bytes) === digest) return;
    throw this.#refuse(uri, 'digest', 'its digest is not that of the skill: get the skill again');
  }

  #refuse(uri: string, fault: SkillFault, explanation: string, cause?: unknown): SkillUnverifiedError {
    const options = cause === undefined ? undefined : { cause };
    return new SkillUnverifiedError(this.client, uri, fault, explanation, options);
  }
}
