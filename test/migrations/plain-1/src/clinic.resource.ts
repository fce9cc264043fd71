import { Inject, Injectable, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Prompt, Resource, ResourceTemplate, Tool } from '@rekog/mcp-nest';
import { z } from 'zod';
import { VisitsService } from './visits.service';

@Injectable({ scope: Scope.REQUEST })
export class ClinicResource {
  constructor(
    private readonly visits: VisitsService,
    @Inject(REQUEST) private readonly request: any,
  ) {}

  @Tool({ name: 'which-tenant', description: 'Tells for whom this runs', parameters: z.object({}) })
  whichTenant() {
    return { content: [{ type: 'text', text: this.request.headers?.['x-tenant'] ?? 'nobody' }] };
  }

  @Resource({
    name: 'hours',
    description: 'When the clinic is open',
    mimeType: 'application/json',
    uri: 'clinic://hours',
  })
  getHours({ uri }) {
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ from: 8, to: 18 }) }] };
  }

  @ResourceTemplate({
    name: 'visit',
    description: 'One visit',
    mimeType: 'application/json',
    uriTemplate: 'clinic://visits/{id}',
  })
  getVisit({ uri, id }) {
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(this.visits.get(id)) }] };
  }

  @Prompt({
    name: 'remind',
    description: 'Reminds a patient',
    parameters: z.object({ patient: z.string().describe('Whom'), tone: z.string().optional() }),
  })
  remind({ patient, tone }) {
    return {
      description: 'A reminder',
      messages: [
        { role: 'user', content: { type: 'text', text: `Remind ${patient}, ${tone ?? 'friendly'}` } },
      ],
    };
  }
}
