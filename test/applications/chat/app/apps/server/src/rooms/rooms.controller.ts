import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { SkipThrottle, Throttle } from '@nestjs/throttler';
import { RoomsService } from './rooms.service';

@Controller('rooms')
export class RoomsController {
  constructor(private readonly rooms: RoomsService) {}

  @Get()
  @SkipThrottle()
  list() {
    return this.rooms.list();
  }

  @Get(':slug')
  get(@Param('slug') slug: string) {
    return this.rooms.get(slug);
  }

  @Post()
  @Throttle({ default: { limit: 20, ttl: 60_000 } })
  create(@Body('slug') slug: string) {
    return this.rooms.create(slug);
  }
}
