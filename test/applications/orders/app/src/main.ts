import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module';
import { setUp } from './set-up';

async function bootstrap() {
  const app = await NestFactory.create(AppModule);
  setUp(app);
  app.enableShutdownHooks();
  await app.listen(process.env.PORT ?? 3400);
}
void bootstrap();
