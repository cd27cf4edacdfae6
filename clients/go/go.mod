module pgbloomfilter

go 1.19
