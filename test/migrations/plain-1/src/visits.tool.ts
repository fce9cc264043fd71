import { Injectable, UseFilters } from '@nestjs/common';
import { Progress } from '@modelcontextprotocol/sdk/types.js';
import { Tool, Context } from '@rekog/mcp-nest';
import type { Request } from 'express';
import { z } from 'zod';
import { FullHourError, FullHourFilter } from './full-hour.filter';
import { VisitsService } from './visits.service';

@Injectable()
export class VisitsTool {
  constructor(private readonly visits: VisitsService) {}

  @Tool({
    name: 'find-visits',
    description: 'Finds the visits of a patient',
    parameters: z.object({ patient: z.string().describe('The name') }),
    outputSchema: z.object({ hours: z.array(z.number()) }),
    annotations: { title: 'Find visits', readOnlyHint: true, openWorldHint: false },
    _meta: { team: 'front' },
  })
  async findVisits({ patient }, context: Context) {
    const found = this.visits.find(patient);
    context.log.info('Visits were looked up', { found: found.length });
    return { hours: found.map(({ hour }) => hour) };
  }

  @Tool({
    name: 'book-visit',
    description: 'Books an hour',
    parameters: z.object({ patient: z.string().default('Ada'), hour: z.number().min(8).max(18) }),
  })
  @UseFilters(FullHourFilter)
  async bookVisit({ patient, hour }, context: Context, request: Request) {
    if (hour === 9) throw new FullHourError(hour);
    const totalSteps = 4;
    for (let i = 0; i < totalSteps; i++) {
      await context.reportProgress({
        progress: (i + 1) * 25,
        total: 100,
      } as Progress);
    }
    const tenant = request?.headers['x-tenant'] ?? 'nobody';
    return { content: [{ type: 'text', text: `${patient} at ${hour} for ${tenant}` }] };
  }

  @Tool({
    name: 'move-visit',
    description: 'Moves a visit to an hour that the patient chooses',
    parameters: z.object({ id: z.string() }),
  })
  async moveVisit({ id }, context: Context) {
    const capabilities = context.mcpServer.server.getClientCapabilities();
    if (!capabilities?.elicitation) {
      return { content: [{ type: 'text', text: 'Nobody can be asked' }] };
    }
    const answer = await context.mcpServer.server.elicitInput({
      message: 'At which hour?',
      requestedSchema: {
        type: 'object',
        properties: { hour: { type: 'number', description: 'The new hour' } },
      },
    });
    const hour = answer.action === 'accept' ? (answer.content?.hour as number) : this.visits.get(id).hour;
    return { content: [{ type: 'text', text: `${id} is at ${hour}` }] };
  }
}
