import { Test } from '@nestjs/testing';
import type { Context } from '@rekog/mcp-nest';
import type { Request } from 'express';
import { VisitsService } from './visits.service';
import { VisitsTool } from './visits.tool';

describe('VisitsTool', () => {
  let tool: VisitsTool;

  beforeEach(async () => {
    const moduleRef = await Test.createTestingModule({ providers: [VisitsService, VisitsTool] }).compile();
    tool = moduleRef.get(VisitsTool);
  });

  it('reports progress while it books', async () => {
    const context = { reportProgress: jest.fn() } as unknown as Context;
    const request = { headers: { 'x-tenant': 'acme' } } as unknown as Request;
    const result = await tool.bookVisit({ patient: 'Ada', hour: 10 }, context, request);
    expect(result.content[0].text).toBe('Ada at 10 for acme');
    expect(context.reportProgress).toHaveBeenCalledTimes(4);
    expect(context.reportProgress).toHaveBeenLastCalledWith({ progress: 100, total: 100 });
  });

  it('finds visits', async () => {
    const info = jest.fn();
    const context = { log: { info } } as unknown as Context;
    expect(await tool.findVisits({ patient: 'Ada' }, context)).toEqual({ hours: [9] });
    expect(info).toHaveBeenCalledTimes(1);
  });
});
