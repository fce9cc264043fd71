import { Injectable } from '@nestjs/common';
import { Context, Prompt, Resource, Tool } from '@rekog/mcp-nest';
import { z } from 'zod';

@Injectable()
export class WeatherTool {
  @Tool({
    name: 'forecast',
    description: 'Tells the weather of a city',
    parameters: z.object({ city: z.string() }),
  })
  async forecast({ city }, context: Context) {
    await context.reportProgress({ progress: 1, total: 2 });
    return { content: [{ type: 'text', text: `Rain in ${city}` }] };
  }

  @Resource({ name: 'cities', uri: 'weather://cities', mimeType: 'text/plain' })
  cities({ uri }) {
    return { contents: [{ uri, mimeType: 'text/plain', text: 'London, Tokyo' }] };
  }

  @Prompt({ name: 'plan', description: 'Plans a day' })
  plan() {
    return { messages: [{ role: 'user', content: { type: 'text', text: 'Plan a day' } }] };
  }
}
