import { McpClientError } from './mcp-client.error.js';

/**
 * What differs from the skill that the server listed.
 * - `digest`, `size`: the bytes
 * - `frontmatter`: what the head of `SKILL.md` says
 * - `unlisted`: a file that the skill does not list
 * - `limit`: a skill that is larger than hosts accept
 * - `entry`: the skill itself
 */
export type SkillFault = 'digest' | 'size' | 'frontmatter' | 'unlisted' | 'limit' | 'entry';

/**
 * Is thrown if a file differs from what its skill says, or if a skill is malformed. Do not use that file or skill. If
 * the skill has changed, get it again. Then ask the person who approved it for a new approval.
 *
 * @see MCP extension skills, "Integrity and Verification"
 */
export class SkillUnverifiedError extends McpClientError {
  override readonly name = 'SkillUnverifiedError';
  readonly code = 'skill_unverified';

  constructor(
    client: string,
    /** The file or the skill. */
    readonly uri: string,
    readonly fault: SkillFault,
    explanation: string,
    options?: ErrorOptions,
  ) {
    super(client, `The client "${client}" cannot use ${JSON.stringify(uri)}: ${explanation}`, options);
  }
}
