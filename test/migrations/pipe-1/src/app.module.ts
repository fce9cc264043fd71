import { Module } from '@nestjs/common';
import { McpModule, McpTransportType } from '@rekog/mcp-nest';
import { WeatherTool } from './weather.tool';

@Module({
  imports: [
    McpModule.forRoot({
      name: 'weather',
      version: '0.0.1',
      transport: McpTransportType.STDIO,
      logging: false,
    }),
  ],
  providers: [WeatherTool],
})
export class AppModule {}
