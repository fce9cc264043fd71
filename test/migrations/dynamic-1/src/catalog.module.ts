import { Module } from '@nestjs/common';
import { McpModule } from '@rekog/mcp-nest';
import { ApiKeyGuard } from './api-key.guard';
import { BooksTool } from './books.tool';
import { PluginsService } from './plugins.service';
import { SettingsModule, SettingsService } from './settings.service';
import { StreamableHttpController } from './streamable-http.controller';

@Module({
  imports: [
    SettingsModule,
    McpModule.forRootAsync({
      imports: [SettingsModule],
      inject: [SettingsService],
      useFactory: (settings: SettingsService) => ({
        name: settings.get('MCP_NAME', 'catalog'),
        version: settings.get('MCP_VERSION', '2.0.0'),
        guards: [ApiKeyGuard],
      }),
    }),
  ],
  controllers: [StreamableHttpController],
  providers: [BooksTool, PluginsService, ApiKeyGuard],
})
export class CatalogModule {}
