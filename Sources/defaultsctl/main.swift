print("defaultsctl")
