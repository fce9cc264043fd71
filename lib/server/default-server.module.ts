import { Module, type Provider } from '@nestjs/common';
import { DefaultServer } from './catalog/discovery/default-server.js';
import { SERVER_SERVICES, type ServerService } from './server-services.js';

/**
 * Makes what the default server has injectable, by class and by the token that names no server. Each server's module exports it, so that a
 * service gets the same by class whichever of them its module sees.
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
