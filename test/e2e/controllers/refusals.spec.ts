import {
  All,
  Controller,
  Get,
  Next,
  Param,
  Post,
  Redirect,
  Render,
  Res,
  Sse,
  StreamableFile,
  UploadedFile,
  UseInterceptors,
  Version,
  VersioningType,
  type INestApplication,
  type Type,
} from '@nestjs/common';
import { FileInterceptor } from '@nestjs/platform-express';
import { ApiConsumes } from '@nestjs/swagger';
import { afterEach, describe, expect, it } from '@jest/globals';
import { McpModule } from 'nestjs-mcp';
import { McpControllersModule, ToolController, type ToolControllerOptions } from 'nestjs-mcp/controllers';
import { EMPTY } from 'rxjs';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { entriesOf } from '../../support/clients/entries.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { callTool } from '../../support/clients/tools.js';

@Controller('odd')
class OddController {
  @Get('res')
  res(@Res() response: { send(text: string): void }) {
    response.send('mine');
  }

  @Get('next')
  next(@Next() next: () => void) {
    next();
  }

  @Get('passed')
  passed(@Res({ passthrough: true }) response: { header(name: string, value: string): void }) {
    response.header('x-passed', 'yes');
    return 'passed';
  }

  @Sse('events')
  events() {
    return EMPTY;
  }

  @Get('page')
  @Render('page')
  page() {
    return {};
  }

  @Get('elsewhere')
  @Redirect('/odd/page')
  elsewhere() {
    return undefined;
  }

  @Get('stream')
  stream(): StreamableFile {
    return new StreamableFile(Buffer.from('file'));
  }

  @Post('upload')
  upload(@UploadedFile() file: unknown) {
    return file;
  }

  @Post('intercepted')
  @UseInterceptors(FileInterceptor('file'))
  intercepted() {
    return 'stored';
  }

  @Post('form')
  @ApiConsumes('multipart/form-data')
  form() {
    return 'stored';
  }

  @All('all')
  all() {
    return 'all';
  }
}

const boot = (options: ToolControllerOptions, others: readonly Type[] = []) => ({
  imports: [
    McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } }),
    McpControllersModule.forRoot({ controllers: [{ controller: OddController, ...options }] }),
  ],
  controllers: [OddController, ...others],
});

describe('A route that cannot be a tool', () => {
  it.each([
    ['res', '"@Res()"'],
    ['next', '"@Next()"'],
    ['events', '"@Sse()"'],
    ['page', '"@Render()"'],
    ['elsewhere', '"@Redirect()"'],
    ['stream', '"StreamableFile"'],
    ['upload', 'uploaded files'],
    ['intercepted', 'uploaded files'],
    ['form', 'uploaded files'],
    ['all', 'HTTP method ALL'],
  ])('is refused by name with the reason: %s (ROUTE-01)', async (name, reason) => {
    const { message } = await bootFailure(boot({ routes: { [name]: true } }));
    expect(message).toContain(`The route "OddController.${name}" cannot be a tool: it `);
    expect(message).toContain(reason);
  });

  it('is left out if nothing names it (ROUTE-01)', async () => {
    const desk = await bootServer({
      imports: [McpControllersModule.forRoot({ controllers: [{ controller: OddController }] })],
      controllers: [OddController],
    });
    const { result } = await perRequest(desk.url).request('tools/list');
    expect(entriesOf(result, 'tools').map(({ name }) => name)).toEqual(['passed']);
    expect(await callTool(desk.url, 'passed', {})).toBe('passed');
    await desk.close();
  });

  it.each([
    [{ routes: { nothing: true } }, 'is not a route of "OddController"'],
    [{ headers: ['Authorization'] }, 'a model must not choose it'],
    [{ headers: ['X-Forwarded-For'] }, 'a model must not choose it'],
    [{ host: 'admin.example.com', routes: { passed: true } }, 'is not bound to a host'],
    [{ version: '2', routes: { passed: true } }, 'has no version, but "version" is "2"'],
  ])('is refused with the options %j (ROUTE-01)', async (options, text) => {
    expect((await bootFailure(boot(options))).message).toContain(text);
  });

  it('is refused if another route has its name (ROUTE-01)', async () => {
    @ToolController()
    @Controller('others')
    class OthersController {
      @Get()
      passed() {
        return 'others';
      }
    }
    expect((await bootFailure(boot({}, [OthersController]))).message).toContain(
      'The routes "OddController.passed" and "OthersController.passed" would both be the tool "passed"',
    );
  });
});

class BaseController {
  @Get(':id')
  inherited(@Param('id') id: string) {
    return `${this.constructor.name} ${id}`;
  }
}

@ToolController({ prefix: 'a_' })
@Controller({ path: 'a', version: '1' })
class FirstController extends BaseController {
  @Get('versioned/:id')
  @Version('2')
  versioned(@Param('id') id: string) {
    return `second ${id}`;
  }
}

@ToolController({ prefix: 'b_', host: 'b.example.com' })
@Controller({ path: 'b', version: '1', host: ':account.example.com' })
class SecondController extends BaseController {}

@ToolController({ prefix: 'c_' })
@Controller({ path: 'c', version: '1', host: 'c.example.com' })
class ThirdController extends BaseController {}

const VERSIONING = [
  { type: VersioningType.URI },
  { type: VersioningType.HEADER, header: 'X-Version' },
  { type: VersioningType.MEDIA_TYPE, key: 'v=' },
] as const;

describe.each(ADAPTERS)('Versions and hosts on %s', (adapter) => {
  let desk: RunningApp | undefined;

  afterEach(() => desk?.close());

  it.each(VERSIONING)('are those of the route: %j (ROUTE-01)', async (versioning) => {
    desk = await bootServer({
      adapter,
      imports: [McpControllersModule.forRoot()],
      controllers: [FirstController, SecondController, ThirdController],
      configure: (app: INestApplication) => {
        app.setGlobalPrefix('api');
        app.enableVersioning(versioning);
      },
    });
    const { url } = desk;
    expect(await callTool(url, 'a_inherited', { id: '1' })).toBe('FirstController 1');
    expect(await callTool(url, 'a_versioned', { id: '1' })).toBe('second 1');
    expect(await callTool(url, 'b_inherited', { id: '1' })).toBe('SecondController 1');
    expect(await callTool(url, 'c_inherited', { id: '1' })).toMatch(/^error: Cannot GET/);
  });
});
