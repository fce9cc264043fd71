import { NestFactory } from '@nestjs/core';
import { ConfigService } from '@nestjs/config';
import { AppModule } from './app.module';
import { setUp } from './set-up';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  const configService = app.get(ConfigService);
  setUp(app);
  app.enableShutdownHooks();
  await app.listen(configService.getOrThrow('app.port'));
}
void bootstrap();
