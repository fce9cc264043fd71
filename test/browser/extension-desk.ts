import { Injectable } from '@nestjs/common';
import { EventSource, Skill, Tool, type McpContext, type SkillContents } from 'nestjs-mcp';
import { Subject } from 'rxjs';
import { z } from 'zod';
import { Gates } from '../support/applications/gate.js';

const Incident = z.object({ id: z.string(), severity: z.enum(['low', 'high']) });
type Incident = z.infer<typeof Incident>;

const Sure = z.object({ overwrite: z.boolean().describe('Whether to overwrite what is there') });

/** Has something of each extension that the page has an area for. */
@Injectable()
export class ExtensionDesk {
  readonly gates = new Gates();
  readonly cancelled: string[] = [];
  readonly incidents = new Subject<Incident>();

  @Tool({ description: 'Imports files, and asks before', task: 'optional', pollIntervalMs: 100 })
  async importFiles(_given: object, context: McpContext): Promise<string> {
    const answer = await context.elicit({ message: 'Overwrite what is there?', schema: Sure });
    return answer.action === 'accept' ? `imported, overwriting: ${answer.content.overwrite}` : 'not imported';
  }

  @Tool({ description: 'Counts until the test opens its gate', task: 'optional', pollIntervalMs: 100 })
  async countStock(_given: object, context: McpContext): Promise<string> {
    context.signal.addEventListener('abort', () => this.cancelled.push('countStock'));
    context.task?.setStatusMessage('Counting shelf 3');
    await this.gates.at('count').pass(context.signal);
    return context.task === undefined ? 'counted at once' : 'counted as a task';
  }

  @EventSource<Incident>({
    name: 'incident.created',
    description: 'Fires when an incident is opened',
    inputSchema: z.object({ severity: z.enum(['low', 'high']).optional() }),
    payloadSchema: Incident,
    filter: ({ severity }, { arguments: wanted }) => (wanted['severity'] ?? severity) === severity,
  })
  created() {
    return this.incidents.asObservable();
  }

  @Skill({ description: 'Write the weekly report. Use when somebody asks how the week went.' })
  weeklyReport(): SkillContents {
    return {
      instructions: 'Call the tool, <script>document.title=1</script> and fill in the form.',
      files: { 'templates/form.md': '| day | tickets |' },
    };
  }

  @Skill({ description: 'Tell what the desk is busy with now.', dynamic: true })
  busy(): string {
    return 'The desk is busy with chairs.';
  }
}
