import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { nanoid } from 'nanoid';
import { Subject } from 'rxjs';
import { AuditService } from '../audit/audit.service';

export interface Room {
  id: string;
  slug: string;
  createdBy: string | undefined;
  messages: string[];
}

@Injectable()
export class RoomsService {
  readonly said = new Subject<{ slug: string; text: string }>();
  private readonly rooms = new Map<string, Room>([
    ['lobby', { id: 'lobby', slug: 'lobby', createdBy: 'system', messages: ['Welcome'] }],
  ]);

  constructor(private readonly audit: AuditService) {}

  list(): Room[] {
    return [...this.rooms.values()];
  }

  get(slug: string): Room {
    const room = this.rooms.get(slug);
    if (room === undefined) throw new NotFoundException(`There is no room "${slug}"`);
    return room;
  }

  create(slug: string): Room {
    if (this.rooms.has(slug)) throw new ConflictException(`There is a room "${slug}" already`);
    const room = { id: nanoid(), slug, createdBy: this.audit.actor, messages: [] };
    this.rooms.set(slug, room);
    return room;
  }

  say(slug: string, text: string): Room {
    const room = this.get(slug);
    room.messages.push(`${this.audit.actor ?? 'somebody'}: ${text}`);
    this.said.next({ slug, text });
    return room;
  }
}
