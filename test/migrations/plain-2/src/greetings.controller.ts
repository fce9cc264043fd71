import { UseGuards, UseInterceptors } from '@nestjs/common';
import { Ctx, Payload, RpcException } from '@nestjs/microservices';
import { McpController, McpRawRequest, Prompt, Resource, ResourceTemplate, Tool } from '@rekog/mcp-nest';
import type { McpContext } from '@rekog/mcp-nest';
import type { Request } from 'express';
import { z } from 'zod';
import { GreetingsService } from './greetings.service';
import { CallGuard, TagInterceptor } from './rpc.layer';

@McpController()
@UseGuards(CallGuard)
export class GreetingsController {
  constructor(private readonly greetings: GreetingsService) {}

  @Tool({
    name: 'greet',
    description: 'Greets somebody, with progress',
    parameters: z.object({ name: z.string().default('World'), language: z.string().optional() }),
  })
  @UseInterceptors(TagInterceptor)
  async greet(@Payload() { name, language }: { name: string; language?: string }, @Ctx() ctx: McpContext) {
    await ctx.reportProgress({ progress: 50, total: 100 });
    ctx.log.info('Somebody is greeted', { name });
    return { content: [{ type: 'text', text: `${this.greetings.find(language ?? '')}, ${name}!` }] };
  }

  @Tool({
    name: 'greet-structured',
    description: 'Greets with its language',
    parameters: z.object({ name: z.string(), language: z.string() }),
    outputSchema: z.object({ greeting: z.string(), language: z.string() }),
    annotations: { title: 'Structured', readOnlyHint: true },
  })
  greetStructured(@Payload() { name, language }: { name: string; language: string }) {
    return { greeting: `${this.greetings.find(language)}, ${name}!`, language };
  }

  @Tool({ name: 'refuse', description: 'Refuses' })
  refuse() {
    throw new RpcException('Not today');
  }

  @Tool({ name: 'forbidden', description: 'A guard refuses it' })
  forbidden() {
    return 'never';
  }

  @Tool({ name: 'which-tenant', description: 'Tells for whom this runs' })
  whichTenant(@McpRawRequest() request?: Request) {
    return { content: [{ type: 'text', text: String(request?.headers['x-tenant'] ?? 'nobody') }] };
  }

  @Resource({
    name: 'languages',
    description: 'The languages',
    mimeType: 'application/json',
    uri: 'greetings://languages',
  })
  languages(@Payload() { uri }: { uri: string }) {
    return { contents: [{ uri, mimeType: 'application/json', text: '["en","es"]' }] };
  }

  @ResourceTemplate({
    name: 'word',
    description: 'The word of a language',
    mimeType: 'text/plain',
    uriTemplate: 'greetings://words/{language}',
  })
  word(@Payload() { uri, language }: { uri: string; language: string }) {
    return { contents: [{ uri, mimeType: 'text/plain', text: this.greetings.find(language) }] };
  }

  @Prompt({
    name: 'introduce',
    description: 'Introduces somebody',
    parameters: z.object({ name: z.string().describe('Whom'), tone: z.string().optional() }),
  })
  introduce(@Payload() { name, tone }: { name: string; tone?: string }) {
    return {
      description: 'An introduction',
      messages: [{ role: 'user', content: { type: 'text', text: `Introduce ${name}, ${tone ?? 'kindly'}` } }],
    };
  }
}
