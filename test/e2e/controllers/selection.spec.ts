import {
  Body,
  Controller,
  Get,
  Module,
  Param,
  Query,
  Version,
  VERSION_NEUTRAL,
  VersioningType,
  type INestApplication,
} from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { ApiExcludeController, ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { McpCatalog, Tool, ToolAnnotations } from 'nestjs-mcp';
import { McpControllersModule, ToolController } from 'nestjs-mcp/controllers';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { entriesOf } from '../../support/clients/entries.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { callTool, listedTool } from '../../support/clients/tools.js';

@ToolController({ prefix: 'cat_' })
@ApiTags('cats')
@Controller('cats')
class CatsController {
  @Get('both')
  @Tool({ name: 'both', description: 'A tool and a route' })
  both() {
    return 'both';
  }

  @Get('excluded')
  @ApiExcludeEndpoint()
  excluded() {
    return 'excluded';
  }

  @Get('pages{/:page}')
  @ApiTags('pages', 'cats')
  @ToolAnnotations({ readOnlyHint: false, openWorldHint: true })
  pages(@Param('page') page?: string) {
    return `page ${page ?? 'one'}`;
  }

  @Get('filtered')
  filtered(@Query('filter') filter: unknown) {
    return { filter };
  }

  @Get('files/*path')
  file(@Param('path') path: readonly string[]) {
    return path.join(' ');
  }

  @Get('same/:name')
  same(@Param('name') name: string, @Query('name') other: string) {
    return { name, other };
  }

  @Get('bodies/:body')
  bodies(@Param('body') body: string, @Body() others: unknown[]) {
    return { body, others };
  }
}

@ToolController()
@ApiExcludeController()
@Controller('undocumented')
class UndocumentedController {
  @Get()
  undocumented() {
    return 'undocumented';
  }
}

@ToolController({ version: '3', host: 'dogs.example.com' })
@Controller({ path: 'dogs', host: ':kind.example.com', version: VERSION_NEUTRAL })
class DogsController {
  @Get()
  dogs() {
    return 'dogs of any version';
  }

  @Get('new')
  @Version(['2', '3'])
  newest() {
    return 'new dogs';
  }
}

@Module({ controllers: [DogsController] })
class DogsModule {}

describe('The routes of an Express application', () => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({
      trustProxy: true,
      options: { allowedHosts: ['127.0.0.1', 'cats.example.org'] },
      imports: [
        McpControllersModule.forRoot(),
        RouterModule.register([{ path: 'animals', module: DogsModule }]),
        DogsModule,
      ],
      controllers: [CatsController, UndocumentedController],
      configure: (app: INestApplication) => {
        app.enableVersioning({ type: VersioningType.HEADER, header: 'x-version' });
        (app as NestExpressApplication).set('query parser', 'extended');
      },
    });
  });

  afterAll(() => desk.close());

  it('are tools unless they are already, are not documented, or use a name twice (ROUTE-01)', async () => {
    const { result } = await perRequest(desk.url).request('tools/list');
    const names = entriesOf(result, 'tools').map(({ name }) => String(name));
    expect(names.toSorted().join(' ')).toBe('both cat_file cat_filtered cat_pages dogs newest');
  });

  it('have the annotations and the tags of their decorators (ROUTE-01)', async () => {
    expect(await listedTool(desk.url, 'cat_pages')).toMatchObject({
      annotations: { readOnlyHint: false, openWorldHint: true },
    });
    const { _meta } = desk.app.get(McpCatalog).tools.find('cat_pages') ?? {};
    expect(JSON.stringify(_meta)).toContain('["cats","pages"]');
  });

  it('have optional parameters in their paths (ROUTE-02)', async () => {
    expect((await listedTool(desk.url, 'cat_pages'))['inputSchema']).not.toHaveProperty('required');
    expect(await callTool(desk.url, 'cat_pages', {})).toBe('page one');
    expect(await callTool(desk.url, 'cat_pages', { page: 2 })).toBe('page 2');
  });

  it('have wildcards in their paths, whose segments are values (ROUTE-02)', async () => {
    expect(await callTool(desk.url, 'cat_file', { path: '../a b/%2F' })).toBe('.. a b %2F');
  });

  it('have nested queries if the application parses them (ROUTE-02)', async () => {
    const filter = { colors: ['red', 'green'], size: { min: '1' } };
    expect(JSON.parse(await callTool(desk.url, 'cat_filtered', { filter }))).toEqual({ filter });
  });

  it('are those of the module, the version and the host, whatever the caller sends (ROUTE-01)', async () => {
    const headers = { 'x-forwarded-host': 'cats.example.org', 'x-version': '1' };
    const call = async (name: string) => {
      const { result } = await perRequest(desk.url, { headers }).request('tools/call', { name });
      return entriesOf(result, 'content');
    };
    expect(await call('dogs')).toEqual([{ type: 'text', text: 'dogs of any version' }]);
    expect(await call('newest')).toEqual([{ type: 'text', text: 'new dogs' }]);
  });
});
