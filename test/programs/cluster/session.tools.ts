import { Injectable } from '@nestjs/common';
import { McpSessions, Tool } from 'nestjs-mcp';
import { z } from 'zod';

const One = z.object({ session: z.string() });
const Caller = z.object({ subject: z.string().optional() });
const Ended = z.object({ subject: z.string() });

/** Tools by which a test has this process look at the sessions of all, and end them. */
@Injectable()
export class SessionTools {
  constructor(private readonly sessions: McpSessions) {}

  @Tool({ description: 'Counts sessions, of one caller or of all', inputSchema: Caller })
  async countSessions({ subject }: z.infer<typeof Caller>): Promise<string> {
    const { sessions } = await this.sessions.count(subject === undefined ? undefined : { subject });
    return String(sessions);
  }

  @Tool({ description: 'Lists the keys of the sessions of a caller', inputSchema: Ended })
  async listSessions({ subject }: z.infer<typeof Ended>): Promise<string> {
    const { sessions } = await this.sessions.list({ subject });
    return sessions.map(({ key }) => key).join();
  }

  @Tool({ description: 'Ends a session, by its key or its id', inputSchema: One })
  async endSession({ session }: z.infer<typeof One>): Promise<string> {
    return String(await this.sessions.end(session));
  }

  @Tool({ description: 'Ends all that a caller has', inputSchema: Ended })
  async endCaller({ subject }: z.infer<typeof Ended>): Promise<string> {
    const { sessions } = await this.sessions.endAll({ subject });
    return String(sessions);
  }
}
