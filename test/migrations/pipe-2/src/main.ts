import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpStrategy, StdioTransport } from '@rekog/mcp-nest';
import { WeatherController } from './weather.controller';

const mcp = new McpStrategy({
  name: 'weather',
  version: '0.0.1',
  transports: [new StdioTransport()],
  logging: false,
});

@Module({
  controllers: [WeatherController],
})
class AppModule {}

async function bootstrap() {
  const app = await NestFactory.createMicroservice(AppModule, {
    strategy: mcp,
    logger: false,
  });
  await app.listen();
}

void bootstrap();
