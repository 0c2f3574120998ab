"""The app's server. It runs `pages/tour.py`, which holds the table of pages."""

import streamlit as st
from starlette.middleware import Middleware

from viz_core.app.addresses import UnknownAddresses
from viz_core.app.server import lifespan, routes
from viz_core.home import TOUR
from viz_core.texts import PAGES

names = [path.parent.name for path in PAGES.glob("*/page.py")]
app = st.App(TOUR, lifespan=lifespan, routes=routes(), middleware=[Middleware(UnknownAddresses, pages=names)])
