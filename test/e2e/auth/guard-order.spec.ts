import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  Module,
  UseGuards,
  UseInterceptors,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  type NestInterceptor,
} from '@nestjs/common';
import { McpAuthGuard, McpModule, type AuthenticatedRequest, type McpModuleExtras } from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { authorize, bootDesk, CALLERS, textOf } from '../../support/applications/protected-desk.js';
import { WhoamiTool } from '../../support/applications/whoami-tool.js';

const { ada } = CALLERS;

/** Notes whom each request is known to be from where it passes. */
class Witness implements CanActivate, NestInterceptor {
  readonly seen: (string | undefined)[] = [];

  canActivate(context: ExecutionContext): boolean {
    this.#note(context);
    return true;
  }

  intercept(context: ExecutionContext, next: Parameters<NestInterceptor['intercept']>[1]) {
    this.#note(context);
    return next.handle();
  }

  #note(context: ExecutionContext): void {
    const { auth } = context.switchToHttp().getRequest<AuthenticatedRequest>();
    this.seen.push(auth?.claims?.sub);
  }
}

/** Calls a tool several times, so that the caller is known, and gives the status and who it was each time. */
async function callThrice(url: string): Promise<unknown[]> {
  const client = perRequest(url, { headers: authorize(ada.token) });
  const answers: unknown[] = [];
  for (let count = 0; count < 3; count += 1) {
    const { status, result } = await client.request('tools/call', { name: 'whoami' });
    answers.push(result === undefined ? status : textOf(result));
  }
  return answers;
}

type Start = () => Promise<RunningApp>;

async function startInTurn(starts: readonly Start[]): Promise<RunningApp[]> {
  const started: RunningApp[] = [];
  for (const start of starts) started.push(await start());
  return started;
}

const startAtOnce = (starts: readonly Start[]) => Promise.all(starts.map((start) => start()));

describe.each(ADAPTERS)('The guard of a server on %s', (adapter) => {
  const running: RunningApp[] = [];

  afterEach(async () => {
    for (const app of running.splice(0)) await app.close();
  });

  async function boot(
    extras: McpModuleExtras = {},
    configure: (app: INestApplication) => void = () => {},
  ): Promise<string> {
    const desk = await bootDesk(adapter, { options: extras, providers: [WhoamiTool], configure });
    running.push(desk);
    return desk.url;
  }

  it('comes before global interceptors (AUTH-16)', async () => {
    const witness = new Witness();
    const url = await boot({}, (app) => app.useGlobalInterceptors(witness));
    expect(await callThrice(url)).toEqual(['ada', 'ada', 'ada']);
    expect(witness.seen).toEqual(['ada', 'ada', 'ada']);
  });

  it('comes before the interceptors of its endpoint (AUTH-16)', async () => {
    const witness = new Witness();
    const url = await boot({ decorators: [UseInterceptors(witness)] });
    expect(await callThrice(url)).toEqual(['ada', 'ada', 'ada']);
    expect(witness.seen).toEqual(['ada', 'ada', 'ada']);
  });

  it('comes after all other guards (AUTH-16)', async () => {
    const [first, second] = [new Witness(), new Witness()];
    const url = await boot({ decorators: [UseGuards(second)] }, (app) => app.useGlobalGuards(first));
    expect(await callThrice(url)).toEqual(['ada', 'ada', 'ada']);
    expect([...first.seen, ...second.seen]).toEqual(Array(6).fill(undefined));
  });

  it("has Nest's context where it is a class of the application (AUTH-16)", async () => {
    const counts: number[] = [];
    class CountingGuard extends McpAuthGuard {
      override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
        counts.push(context.getArgs().length);
        return super.canActivate(context);
      }
    }
    const url = await boot({ authGuard: CountingGuard });
    expect(await callThrice(url)).toEqual(['ada', 'ada', 'ada']);
    expect(counts).toEqual([3, 3, 3]);
  });

  it('is obeyed where something refuses for it (AUTH-16)', async () => {
    const url = await boot();
    const canActivate = jest.spyOn(McpAuthGuard.prototype, 'canActivate');
    canActivate.mockReturnValueOnce(false).mockResolvedValueOnce(false);
    expect(await callThrice(url)).toEqual([403, 403, 'ada']);
    canActivate.mockRestore();
  });

  describe.each([
    ['one after the other', startInTurn],
    ['at once', startAtOnce],
  ])('of applications that are made of one module, %s', (_, start) => {
    it('is asked once for each request (AUTH-13)', async () => {
      let asked = 0;
      const validator = { validate: () => ({ sub: `caller ${(asked += 1)}` }) };
      @Module({
        imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' }, auth: { validator } })],
        providers: [WhoamiTool],
      })
      class DeskModule {}
      const intercept = (app: INestApplication) => void app.useGlobalInterceptors(new Witness());
      const configurations = [intercept, () => {}, intercept, () => {}];
      running.push(
        ...(await start(
          configurations.map((configure) => () => bootApp({ adapter, module: DeskModule, configure })),
        )),
      );
      for (const { url } of running) {
        asked = 0;
        expect(await callThrice(url)).toEqual(['caller 1', 'caller 2', 'caller 3']);
      }
    });
  });
});
