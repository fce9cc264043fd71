import { Injectable, Module, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule, Resource, Tool } from 'nestjs-mcp';
import { z } from 'zod';

const Place = z.object({ place: z.string().min(1) });

@Injectable()
class Weather {
  @Tool({ description: 'Forecasts the weather of a place', inputSchema: Place })
  forecast({ place }: z.infer<typeof Place>): string {
    return `Sunny in ${place}, with a light breeze`;
  }

  @Resource({ uri: 'weather://stations', description: 'The stations that measure' })
  stations(): string {
    return 'Harbor\nHill';
  }
}

@Module({
  imports: [McpModule.forRoot({ serverInfo: { name: 'weather', version: '1.0.0' } })],
  providers: [Weather],
})
class WeatherModule {}

/** Starts the server over HTTP that the gateway connects to. In practice, another company runs it. */
export async function startWeather(): Promise<{ readonly app: INestApplication; readonly url: string }> {
  const app = await NestFactory.create(WeatherModule, { logger: ['error'], forceCloseConnections: true });
  await app.listen(0, '127.0.0.1');
  return { app, url: `${await app.getUrl()}/mcp` };
}
