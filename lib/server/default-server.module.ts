import { Module, type Provider } from '@nestjs/common';
import { DefaultServer } from './catalog/discovery/default-server.js';
import { SERVER_SERVICES, type ServerService } from './server-services.js';

/**
 * Makes the default server's providers injectable, by class and by the token that names no server. Each server's
 * module exports them, so that injection by class gives the same result in every importing module.
 */
@Module({
  providers: [DefaultServer, ...SERVER_SERVICES.flatMap(provideOfDefault)],
  exports: SERVER_SERVICES.flatMap(({ type, getToken }) => [type, getToken()]),
})
export class DefaultServerModule {}

function provideOfDefault({ type, getToken }: ServerService): readonly Provider[] {
  const load = (server: DefaultServer) => server.load(type, getToken());
  return [
    { provide: type, useFactory: load, inject: [DefaultServer] },
    { provide: getToken(), useExisting: type },
  ];
}
