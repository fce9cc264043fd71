import { Controller, UseGuards } from '@nestjs/common';
import { McpHttpControllerFor } from '@rekog/mcp-nest';
import { JwtGuard } from './jwt.guard';
import { transport } from './mcp';

/** The endpoint: whoever brings a token must bring a good one. */
@Controller('clinic/mcp')
@UseGuards(JwtGuard)
export class McpHttpController extends McpHttpControllerFor(transport) {}
