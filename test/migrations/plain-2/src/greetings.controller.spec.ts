import { Test } from '@nestjs/testing';
import type { McpContext } from '@rekog/mcp-nest';
import { GreetingsController } from './greetings.controller';
import { GreetingsService } from './greetings.service';

describe('GreetingsController', () => {
  it('reports progress', async () => {
    const moduleRef = await Test.createTestingModule({
      controllers: [GreetingsController],
      providers: [GreetingsService],
    }).compile();
    const info = jest.fn();
    const ctx = { reportProgress: jest.fn(), log: { info } } as unknown as McpContext;
    const result = await moduleRef.get(GreetingsController).greet({ name: 'Ada', language: 'es' }, ctx);
    expect(result.content[0].text).toBe('Qué tal, Ada!');
    expect(ctx.reportProgress).toHaveBeenCalledWith({ progress: 50, total: 100 });
    expect(info).toHaveBeenCalledTimes(1);
  });
});
