import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { ROOMS, type Room } from './room.js';
import type { Wish } from './wish.js';

export interface Booking extends Wish {
  readonly number: string;
  readonly room: string;
  /** Who pays, where the user said so. */
  readonly project?: string | undefined;
}

/** The book of the house. It knows nothing of MCP, and forgets everything at the end. */
@Injectable()
export class BookingsService {
  readonly #bookings = new Map<string, Booking>();
  #count = 0;

  list(): Booking[] {
    return [...this.#bookings.values()];
  }

  get(number: string): Booking {
    const booking = this.#bookings.get(number);
    if (booking !== undefined) return booking;
    throw new NotFoundException(`There is no booking "${number}": look into the list of bookings`);
  }

  /** Finds the rooms that are large enough, have what is needed and are free, the smallest first. */
  findFree({ day, start, people, equipment }: Wish): Room[] {
    return ROOMS.filter(
      ({ name, seats, equipment: present }) =>
        seats >= people &&
        equipment.every((one) => present.includes(one)) &&
        !this.#isTaken({ room: name, day, start }),
    );
  }

  book(wish: Omit<Booking, 'number'>): Booking {
    if (this.#isTaken(wish)) {
      throw new ConflictException(
        `${wish.room} was taken in the meantime: choose another room or another time`,
      );
    }
    this.#count += 1;
    const booking = { ...wish, number: `B-${this.#count}` };
    this.#bookings.set(booking.number, booking);
    return booking;
  }

  cancel(number: string): void {
    this.#bookings.delete(number);
  }

  #isTaken({ room, day, start }: Pick<Booking, 'room' | 'day' | 'start'>): boolean {
    return this.list().some((other) => other.room === room && other.day === day && other.start === start);
  }
}
