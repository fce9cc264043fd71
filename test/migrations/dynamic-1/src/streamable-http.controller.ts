import { Body, Controller, Delete, Get, Logger, Post, Req, Res, UseGuards } from '@nestjs/common';
import { McpStreamableHttpService } from '@rekog/mcp-nest';
import { ApiKeyGuard } from './api-key.guard';

/** Serves the catalog to clients that have the key. */
@Controller()
@UseGuards(ApiKeyGuard)
export class StreamableHttpController {
  public readonly logger = new Logger(StreamableHttpController.name);

  constructor(public readonly mcpStreamableHttpService: McpStreamableHttpService) {}

  @Post('/catalog/mcp')
  async handlePostRequest(@Req() req: any, @Res() res: any, @Body() body: unknown): Promise<void> {
    await this.mcpStreamableHttpService.handlePostRequest(req, res, body);
  }

  @Get('/catalog/mcp')
  async handleGetRequest(@Req() req: any, @Res() res: any): Promise<void> {
    await this.mcpStreamableHttpService.handleGetRequest(req, res);
  }

  @Delete('/catalog/mcp')
  async handleDeleteRequest(@Req() req: any, @Res() res: any): Promise<void> {
    await this.mcpStreamableHttpService.handleDeleteRequest(req, res);
  }
}
