import { countField } from './fields.ts';

/** Parameters of a paged list, and one page of it with its block `current`, whose members are all texts. */

const PAGE_SIZE = { min: 1, max: 500, fallback: 200 };

export const paging = { page: countField({ min: 1, fallback: 1 }), pagesize: countField(PAGE_SIZE) };

export function pageOf<T>(list: readonly T[], { page, pagesize }: { page: number; pagesize: number }) {
  return {
    items: list.slice((page - 1) * pagesize, page * pagesize),
    current: {
      totalcount: String(list.length),
      currentpage: String(page),
      totalpages: String(Math.ceil(list.length / pagesize)),
      pagesize: String(pagesize),
    },
  };
}
