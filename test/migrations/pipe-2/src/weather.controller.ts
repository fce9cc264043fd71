import { Ctx, Payload } from '@nestjs/microservices';
import { McpController, Prompt, Resource, Tool } from '@rekog/mcp-nest';
import type { McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';

@McpController()
export class WeatherController {
  @Tool({
    name: 'forecast',
    description: 'Tells the weather of a city',
    parameters: z.object({ city: z.string() }),
  })
  async forecast(@Payload() { city }: { city: string }, @Ctx() ctx: McpContext) {
    await ctx.reportProgress({ progress: 1, total: 2 });
    return { content: [{ type: 'text', text: `Rain in ${city}` }] };
  }

  @Resource({ name: 'cities', uri: 'weather://cities', mimeType: 'text/plain' })
  cities(@Payload() { uri }: { uri: string }) {
    return { contents: [{ uri, mimeType: 'text/plain', text: 'London, Tokyo' }] };
  }

  @Prompt({ name: 'plan', description: 'Plans a day' })
  plan() {
    return { messages: [{ role: 'user', content: { type: 'text', text: 'Plan a day' } }] };
  }
}
