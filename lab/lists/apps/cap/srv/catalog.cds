using lab from '../db/schema';

@cds.query.limit: { default: 50, max: 100 }
service CatalogService @(path: '/odata/v4/catalog') {
  entity Rows as projection on lab.Rows;
}
