"use strict";
// Generated from the OpenAPI document: changes are lost.
Object.defineProperty(exports, "__esModule", { value: true });
