"""The parts of ``interlace doctor`` that look at data, servers and models."""
