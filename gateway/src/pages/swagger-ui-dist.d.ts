declare module 'swagger-ui-dist/absolute-path.js' {
  /** The folder of the files of Swagger UI. */
  function swaggerUiFolder(): string;
  export = swaggerUiFolder;
}
