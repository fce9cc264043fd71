import {
  Body,
  ClassSerializerInterceptor,
  Controller,
  Delete,
  Get,
  Param,
  ParseIntPipe,
  Post,
  Query,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiOperation, ApiParam } from '@nestjs/swagger';
import { ToolController } from 'nestjs-mcp/controllers';
import { RequireRole, RolesGuard } from '../roles.guard.js';
import { Article, NewArticle, SearchArticles } from './article.dto.js';
import { ArticlesService } from './articles.service.js';

@Controller('articles')
@ToolController({ prefix: 'articles_', routes: { add: true } })
@UseGuards(RolesGuard)
@UseInterceptors(ClassSerializerInterceptor)
export class ArticlesController {
  constructor(private readonly articles: ArticlesService) {}

  @Get()
  @ApiOperation({
    summary: 'Search the articles of the shop',
    description: 'Finds articles by a part of their name.',
  })
  search(@Query() { name }: SearchArticles): readonly Article[] {
    return this.articles.search(name);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Get an article of the shop with its price' })
  @ApiParam({ name: 'id', description: 'The number of the article' })
  get(@Param('id', ParseIntPipe) id: number): Article {
    return this.articles.get(id);
  }

  @Post()
  @RequireRole('staff')
  @ApiOperation({ summary: 'Add an article to the shop', description: 'Only staff may add articles.' })
  add(@Body() article: NewArticle): Article {
    return this.articles.add(article);
  }

  @Delete(':id')
  @RequireRole('staff')
  remove(@Param('id', ParseIntPipe) id: number): void {
    this.articles.remove(id);
  }
}
