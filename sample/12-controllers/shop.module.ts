import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { McpControllersModule } from 'nestjs-mcp/controllers';
import { ArticlesController } from './articles/articles.controller.js';
import { ArticlesService } from './articles/articles.service.js';

@Module({
  imports: [
    McpModule.forRoot({ serverInfo: { name: 'shop', version: '1.0.0' } }),
    McpControllersModule.forRoot(),
  ],
  controllers: [ArticlesController],
  providers: [ArticlesService],
})
export class ShopModule {}
