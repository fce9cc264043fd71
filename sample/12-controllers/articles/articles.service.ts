import { Injectable, NotFoundException } from '@nestjs/common';
import { Article, type NewArticle } from './article.dto.js';

@Injectable()
export class ArticlesService {
  readonly #articles: Article[] = [];

  constructor() {
    this.add({ name: 'Boots', price: 90 });
    this.add({ name: 'Rain coat', price: 60 });
  }

  search(part = ''): readonly Article[] {
    return this.#articles.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()));
  }

  /** @throws {NotFoundException} if there is no such article */
  get(id: number): Article {
    const found = this.#articles.find((article) => article.id === id);
    if (found === undefined) throw new NotFoundException(`There is no article ${id}`);
    return found;
  }

  add({ name, price }: NewArticle): Article {
    const id = this.#articles.length + 1;
    const article = Object.assign(new Article(), { id, name, price, purchasePrice: price / 2 });
    this.#articles.push(article);
    return article;
  }

  remove(id: number): void {
    this.#articles.splice(this.#articles.indexOf(this.get(id)), 1);
  }
}
