from cdk8s import App

from shop import web_shop

app = App()
web_shop(app)
app.synth()
