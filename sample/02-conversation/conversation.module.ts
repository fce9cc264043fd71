import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { BookingTools } from './bookings/booking.tools.js';
import { BookingsService } from './bookings/bookings.service.js';

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: {
        name: 'boathouse',
        title: 'Boathouse bookings',
        version: '1.0.0',
        description: 'Books the meeting rooms of a small house',
      },
      instructions: 'Book with what the user has told you. What is missing the server asks the user itself.',
      inputRequests: { timeoutMs: 2 * 60_000, stateLifetimeMs: 15 * 60_000 },
    }),
  ],
  providers: [BookingsService, BookingTools],
})
export class ConversationModule {}
