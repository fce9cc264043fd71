// A server of @rekog/mcp-nest with an entry of each kind, at `PORT`. Plain JavaScript, so decorators are called as functions.
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, Payload } from '@nestjs/microservices';
import {
  MCP_STRATEGY,
  McpController,
  McpStrategy,
  Prompt,
  Resource,
  ResourceTemplate,
  StreamableHttpTransport,
  Tool,
} from '@rekog/mcp-nest';
import { z } from 'zod';

class Greetings {
  async greet({ name }, context) {
    await context.reportProgress({ progress: 1, total: 2 });
    await context.reportProgress({ progress: 2, total: 2 });
    return { greeting: `Hello, ${name}!` };
  }

  languages({ uri }) {
    return { contents: [{ uri, mimeType: 'application/json', text: '["en","es"]' }] };
  }

  word({ uri, language }) {
    return { contents: [{ uri, mimeType: 'text/plain', text: language === 'es' ? 'Hola' : 'Hello' }] };
  }

  introduce({ name }) {
    return { messages: [{ role: 'user', content: { type: 'text', text: `Introduce ${name}` } }] };
  }
}

/** Applies the decorator of a method, and those of its parameters. */
function decorate(method, decorator) {
  const { prototype } = Greetings;
  Payload()(prototype, method, 0);
  Ctx()(prototype, method, 1);
  decorator(prototype, method, Object.getOwnPropertyDescriptor(prototype, method));
}

decorate(
  'greet',
  Tool({
    name: 'greet',
    description: 'Greets somebody, with progress',
    parameters: z.object({ name: z.string().default('World') }),
    outputSchema: z.object({ greeting: z.string() }),
    annotations: { title: 'Greeting', readOnlyHint: true },
  }),
);
decorate(
  'languages',
  Resource({ name: 'languages', uri: 'greetings://languages', mimeType: 'application/json' }),
);
decorate(
  'word',
  ResourceTemplate({ name: 'word', uriTemplate: 'greetings://words/{language}', mimeType: 'text/plain' }),
);
decorate(
  'introduce',
  Prompt({
    name: 'introduce',
    description: 'Introduces somebody',
    parameters: z.object({ name: z.string() }),
  }),
);
McpController()(Greetings);

const strategy = new McpStrategy({
  name: 'greetings',
  version: '2.0.0',
  transports: [new StreamableHttpTransport({ endpoint: '/mcp' })],
});

class Application {}
Module({ controllers: [Greetings], providers: [{ provide: MCP_STRATEGY, useValue: strategy }] })(Application);

const app = await NestFactory.create(Application, { logger: false });
strategy.setHttpAdapter(app.getHttpAdapter());
app.connectMicroservice({ strategy });
await app.startAllMicroservices();
await app.listen(process.env.PORT, '127.0.0.1');
