import { McpClientError } from './mcp-client.error.js';

/** Is thrown if the server does not declare skills, or does not declare that their folders can be read. */
export class SkillsUnsupportedError extends McpClientError {
  override readonly name = 'SkillsUnsupportedError';
  readonly code = 'skills_unsupported';

  constructor(client: string, what: 'skills' | 'folders of skills') {
    super(client, `The server of the client "${client}" has no ${what}: it does not declare them`);
  }
}
