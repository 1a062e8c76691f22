print("defaultsd")
