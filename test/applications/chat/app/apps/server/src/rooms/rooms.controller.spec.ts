import { RoomsController } from './rooms.controller';
import { RoomsService } from './rooms.service';

describe('RoomsController', () => {
  it('creates a room once', () => {
    const controller = new RoomsController(new RoomsService({ actor: 'ada' } as never));
    expect(controller.create('tea')).toMatchObject({ slug: 'tea', createdBy: 'ada', messages: [] });
    expect(() => controller.create('tea')).toThrow('already');
  });
});
