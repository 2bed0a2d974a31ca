"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.defaultBaseUrl = void 0;
// Generated from the OpenAPI document: changes are lost.
exports.defaultBaseUrl = null;
