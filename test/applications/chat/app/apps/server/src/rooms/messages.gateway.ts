import { SubscribeMessage, WebSocketGateway, WebSocketServer } from '@nestjs/websockets';
import type { Server } from 'socket.io';
import { RoomsService } from './rooms.service';

@WebSocketGateway()
export class MessagesGateway {
  @WebSocketServer()
  server: Server;

  constructor(private readonly rooms: RoomsService) {}

  afterInit() {
    this.rooms.said.subscribe((message) => this.server.emit('said', message));
  }

  @SubscribeMessage('say')
  say(client: unknown, { slug, text }: { slug: string; text: string }) {
    return this.rooms.say(slug, text).messages.length;
  }
}
