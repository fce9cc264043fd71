import { Injectable } from '@nestjs/common';
import { McpNotifier, McpSessions, Tool } from 'nestjs-mcp';
import { z } from 'zod';
import { WATCHED } from './announcing.tools.js';

const One = z.object({ session: z.string() });
const Caller = z.object({ subject: z.string().optional() });
const Ended = z.object({ subject: z.string() });
const ToSession = z.object({ session: z.string(), text: z.string() });
const ToCaller = z.object({ subject: z.string(), text: z.string() });

/** Tools by which a test has this process look at the sessions of all, tell one of them something, and end them. */
@Injectable()
export class SessionTools {
  constructor(
    private readonly sessions: McpSessions,
    private readonly notifier: McpNotifier,
  ) {}

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

  @Tool({ description: 'Tells one session, by its key or its id', inputSchema: ToSession })
  tellSession({ session, text }: z.infer<typeof ToSession>): string {
    this.notifier.to(session).log('info', text);
    return text;
  }

  @Tool({ description: 'Tells all that a caller has', inputSchema: ToCaller })
  tellCaller({ subject, text }: z.infer<typeof ToCaller>): string {
    const caller = this.notifier.to({ subject });
    caller.log('info', text);
    caller.resourceUpdated(WATCHED);
    return text;
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
