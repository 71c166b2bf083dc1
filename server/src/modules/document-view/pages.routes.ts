import { matchesNone } from '../../platform/http/etag.js';
import { type Route, readRoute } from '../../platform/http/route.js';
import { workProductId } from '../runs/examples.js';
import type { ReadVersionRow } from './document-view.repository.js';
import { VersionParams } from './document-view.schemas.js';
import { DocumentPages, PageLines, PageParams, PictureQuery } from './pages.schemas.js';
import {
  type PageTools,
  pictureOf,
  pictureTag,
  toDocumentPages,
  toPageLines,
  turnOfPage,
} from './pages.service.js';
import { guestsOfVersions, type Reading, readVersion, resource } from './read-version.js';

const common = {
  method: 'GET',
  tag: 'Work products',
  permission: 'work-products.read',
  within: 'visible',
  guest: guestsOfVersions,
  resource,
  errors: ['CONFLICT'],
} as const;
const params = { id: workProductId, version: '2' };
const ofPage = { ...params, page: '12' };

const getPages = readRoute({
  ...common,
  operation: 'getDocumentPages',
  path: '/work-products/:id/versions/:version/pages',
  summary: 'Read the pages of a document',
  description:
    'The pages of a version with their sizes, in formats that have pages of their own (PDF); for others there are none. 409 ' +
    'while the version has not been read.',
  etag: true,
  params: VersionParams,
  answer: DocumentPages,
  examples: {
    params,
    answer: {
      work_product_id: workProductId,
      version: 2,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      total: 1,
      places: 'exact',
      pages: [{ page: 1, width: 595.28, height: 841.89 }],
    },
  },
  handle: async (context) => {
    const version = await readVersion(context);
    return toDocumentPages(version, toolsOf(context, version));
  },
});

const getLines = readRoute({
  ...common,
  operation: 'getPageLines',
  path: '/work-products/:id/versions/:version/pages/:page/lines',
  summary: 'Read where the text of a page stands',
  description:
    'Pieces of lines of a page with their ranges in the text of the document and their places on its picture: a quote stands ' +
    'where the letters of its range do. Text that has no place (comments, what nobody sees) is not among them.',
  etag: true,
  params: PageParams,
  answer: PageLines,
  examples: {
    params: ofPage,
    answer: {
      page: 12,
      total: 1,
      lines: [
        {
          block: 131,
          start: 18_204,
          end: 18_207,
          x: 0.1187,
          y: 0.2213,
          width: 0.041,
          height: 0.0144,
          lefts: [0, 410, 690],
        },
      ],
    },
  },
  handle: async (context) => {
    const version = await readVersion(context);
    return toPageLines(version, context.params.page, toolsOf(context, version));
  },
});

const getPicture = readRoute({
  ...common,
  operation: 'getPagePicture',
  picture: true,
  path: '/work-products/:id/versions/:version/pages/:page/image',
  summary: 'Read the picture of a page',
  description:
    'The page as the file draws it, upright, as a PNG. It never changes for a version: ask with `If-None-Match` for one that ' +
    'you keep. 409 for a page that cannot be drawn.',
  params: PageParams,
  query: PictureQuery,
  produces: { 'image/png': 'bytes' },
  examples: { params: ofPage, query: { width: '800' } },
  handle: async (context) => {
    const { params: asked, query, request, reply } = context;
    const version = await readVersion(context);
    const tools = toolsOf(context, version);
    const turn = await turnOfPage(version, asked.page, tools);
    const picture = { page: asked.page, width: Number(query.width), turn };
    const tag = pictureTag(version, picture);
    reply.header('etag', tag);
    if (matchesNone(request.headers['if-none-match'], tag)) return reply.code(304).send();
    return reply.type('image/png').send(await pictureOf(version, picture, tools));
  },
});

const toolsOf = ({ dependencies, request }: Reading, version: ReadVersionRow): PageTools => ({
  objects: dependencies.storage.within(version.workspace_id),
  engine: request.server.engine,
  drawer: request.server.pageDrawer,
});

export const pageRoutes: readonly Route[] = [getPages, getLines, getPicture];
