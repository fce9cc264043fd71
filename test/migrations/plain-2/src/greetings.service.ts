import { Injectable } from '@nestjs/common';

@Injectable()
export class GreetingsService {
  private readonly words: Record<string, string> = { en: 'Hey', es: 'Qué tal' };

  find(language: string): string {
    return this.words[language] ?? 'Hello';
  }
}
